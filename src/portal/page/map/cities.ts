/** Large cities for the map that comes with the program: enough to know where one is. Longitude, latitude, name. */
const list = `
-0.13 51.51 London|2.35 48.86 Paris|13.40 52.52 Berlin|-3.70 40.42 Madrid|12.50 41.90 Rome|16.37 48.21 Vienna
4.90 52.37 Amsterdam|4.35 50.85 Brussels|18.07 59.33 Stockholm|10.75 59.91 Oslo|12.57 55.68 Copenhagen|24.94 60.17 Helsinki
21.01 52.23 Warsaw|14.44 50.08 Prague|19.04 47.50 Budapest|26.10 44.43 Bucharest|23.32 42.70 Sofia|23.73 37.98 Athens
-9.14 38.72 Lisbon|-6.26 53.35 Dublin|8.54 47.38 Zürich|30.52 50.45 Kyiv|27.57 53.90 Minsk|37.62 55.76 Moscow
30.34 59.93 Saint Petersburg|28.98 41.01 Istanbul|32.86 39.93 Ankara|9.99 53.55 Hamburg|11.58 48.14 Munich|6.96 50.94 Cologne
8.68 50.11 Frankfurt|9.18 48.78 Stuttgart|13.74 51.05 Dresden|12.37 51.34 Leipzig|9.73 52.37 Hanover|8.80 53.08 Bremen
9.19 45.46 Milan|7.69 45.07 Turin|14.27 40.85 Naples|2.17 41.39 Barcelona|-0.38 39.47 Valencia|-5.98 37.39 Seville
4.84 45.76 Lyon|5.37 43.30 Marseille|1.44 43.60 Toulouse|-0.58 44.84 Bordeaux|3.06 50.63 Lille|-2.24 53.48 Manchester
-1.90 52.49 Birmingham|-4.25 55.86 Glasgow|-3.19 55.95 Edinburgh|11.97 57.71 Gothenburg|5.32 60.39 Bergen|24.75 59.44 Tallinn
24.11 56.95 Riga|25.28 54.69 Vilnius|19.94 50.06 Kraków|17.04 51.11 Wrocław|18.65 54.35 Gdańsk|16.61 49.20 Brno
17.11 48.15 Bratislava|14.51 46.06 Ljubljana|15.98 45.81 Zagreb|20.46 44.82 Belgrade|18.41 43.86 Sarajevo|-21.94 64.15 Reykjavík
31.24 30.04 Cairo|3.06 36.75 Algiers|10.18 36.81 Tunis|-7.59 33.57 Casablanca|3.38 6.52 Lagos|7.49 9.06 Abuja
-0.19 5.60 Accra|-17.45 14.69 Dakar|15.27 -4.44 Kinshasa|36.82 -1.29 Nairobi|38.75 9.03 Addis Ababa|39.21 -6.79 Dar es Salaam
32.58 0.35 Kampala|28.05 -26.20 Johannesburg|18.42 -33.92 Cape Town|31.03 -29.86 Durban|13.23 -8.84 Luanda|31.05 -17.83 Harare
46.68 24.71 Riyadh|55.27 25.20 Dubai|51.39 35.69 Tehran|44.37 33.32 Baghdad|35.22 31.77 Jerusalem|35.50 33.89 Beirut
67.01 24.86 Karachi|74.34 31.55 Lahore|77.21 28.61 Delhi|72.88 19.08 Mumbai|77.59 12.97 Bengaluru|80.27 13.08 Chennai
88.36 22.57 Kolkata|90.41 23.81 Dhaka|85.32 27.72 Kathmandu|79.86 6.93 Colombo|69.24 41.30 Tashkent|76.89 43.24 Almaty
116.41 39.90 Beijing|121.47 31.23 Shanghai|113.26 23.13 Guangzhou|104.07 30.57 Chengdu|114.17 22.32 Hong Kong|121.57 25.03 Taipei
126.98 37.57 Seoul|139.69 35.69 Tokyo|135.50 34.69 Osaka|100.50 13.76 Bangkok|105.85 21.03 Hanoi|106.63 10.82 Ho Chi Minh City
101.69 3.14 Kuala Lumpur|103.82 1.35 Singapore|106.85 -6.21 Jakarta|120.98 14.60 Manila|96.16 16.84 Yangon|106.92 47.89 Ulaanbaatar
151.21 -33.87 Sydney|144.96 -37.81 Melbourne|153.03 -27.47 Brisbane|115.86 -31.95 Perth|174.76 -36.85 Auckland|174.78 -41.29 Wellington
-74.01 40.71 New York|-118.24 34.05 Los Angeles|-87.63 41.88 Chicago|-95.37 29.76 Houston|-80.19 25.76 Miami|-122.42 37.77 San Francisco
-122.33 47.61 Seattle|-104.99 39.74 Denver|-84.39 33.75 Atlanta|-96.80 32.78 Dallas|-77.04 38.91 Washington|-71.06 42.36 Boston
-79.38 43.65 Toronto|-73.57 45.50 Montréal|-123.12 49.28 Vancouver|-114.07 51.05 Calgary|-99.13 19.43 Mexico City|-103.35 20.67 Guadalajara
-82.37 23.11 Havana|-74.07 4.71 Bogotá|-77.04 -12.05 Lima|-66.90 10.48 Caracas|-78.47 -0.18 Quito|-46.63 -23.55 São Paulo
-43.17 -22.91 Rio de Janeiro|-47.88 -15.79 Brasília|-58.38 -34.60 Buenos Aires|-70.67 -33.45 Santiago|-56.16 -34.90 Montevideo|-68.15 -16.50 La Paz`;

export function cityPoints(): GeoJSON.FeatureCollection<GeoJSON.Point, { name: string }> {
  const features = list
    .trim()
    .split(/[|\n]/)
    .map((entry): GeoJSON.Feature<GeoJSON.Point, { name: string }> => {
      const [longitude = "", latitude = "", ...words] = entry.trim().split(" ");
      const coordinates = [Number(longitude), Number(latitude)];
      return { type: "Feature", properties: { name: words.join(" ") }, geometry: { type: "Point", coordinates } };
    });
  return { type: "FeatureCollection", features };
}
