import type { Feature, Point } from "geojson";
import type { City } from "../both-sides/packed-world.ts";

/** Large cities for the map that comes with the program, to recognise a region by. Longitude, latitude, name. */
const cities = `
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

/** Smaller ones, most of them in Europe. They are shown from nearer. */
const towns = `
13.06 52.40 Potsdam|13.24 52.75 Oranienburg|13.59 52.68 Bernau|14.55 52.35 Frankfurt (Oder)|14.33 51.76 Cottbus|11.63 52.12 Magdeburg
11.97 51.48 Halle|11.03 50.98 Erfurt|12.92 50.83 Chemnitz|12.14 54.09 Rostock|11.42 53.63 Schwerin|10.69 53.87 Lübeck
10.14 54.32 Kiel|9.43 54.78 Flensburg|8.58 53.54 Bremerhaven|8.21 53.14 Oldenburg|8.05 52.28 Osnabrück|10.52 52.27 Braunschweig
10.79 52.42 Wolfsburg|9.93 51.54 Göttingen|9.48 51.31 Kassel|8.53 52.02 Bielefeld|7.63 51.96 Münster|7.47 51.51 Dortmund
7.01 51.46 Essen|6.78 51.23 Düsseldorf|6.08 50.78 Aachen|7.10 50.73 Bonn|7.59 50.36 Koblenz|8.27 50.00 Mainz
6.64 49.76 Trier|7.00 49.23 Saarbrücken|8.47 49.49 Mannheim|8.40 49.01 Karlsruhe|7.85 48.00 Freiburg|9.99 48.40 Ulm
9.95 49.79 Würzburg|11.08 49.45 Nuremberg|12.10 49.02 Regensburg|10.90 48.37 Augsburg|13.43 48.57 Passau|9.18 47.66 Konstanz
13.05 47.80 Salzburg|14.29 48.31 Linz|15.44 47.07 Graz|11.39 47.27 Innsbruck|7.59 47.56 Basel|7.45 46.95 Bern
6.14 46.20 Geneva|8.95 46.01 Lugano|13.38 49.75 Plzeň|18.28 49.83 Ostrava|21.26 48.72 Košice|14.55 53.43 Szczecin
16.93 52.41 Poznań|19.46 51.76 Łódź|22.57 51.25 Lublin|19.02 50.26 Katowice|18.00 53.12 Bydgoszcz|23.16 53.13 Białystok
4.48 51.92 Rotterdam|4.31 52.08 The Hague|5.12 52.09 Utrecht|5.48 51.44 Eindhoven|6.57 53.22 Groningen|4.40 51.22 Antwerp
3.72 51.05 Ghent|5.57 50.63 Liège|6.13 49.61 Luxembourg|7.75 48.58 Strasbourg|6.18 48.69 Nancy|4.03 49.26 Reims
5.04 47.32 Dijon|1.10 49.44 Rouen|-1.55 47.22 Nantes|-1.68 48.11 Rennes|-0.36 49.18 Caen|0.69 47.39 Tours
3.08 45.78 Clermont-Ferrand|5.72 45.19 Grenoble|3.88 43.61 Montpellier|7.27 43.70 Nice|-1.40 50.91 Southampton|-2.59 51.45 Bristol
-3.18 51.48 Cardiff|-1.15 52.95 Nottingham|-1.55 53.80 Leeds|-2.99 53.41 Liverpool|-1.61 54.97 Newcastle|-2.10 57.15 Aberdeen
-5.93 54.60 Belfast|-8.47 51.90 Cork|10.20 56.16 Aarhus|10.39 55.40 Odense|9.92 57.05 Aalborg|13.00 55.61 Malmö
17.64 59.86 Uppsala|15.62 58.41 Linköping|10.40 63.43 Trondheim|5.73 58.97 Stavanger|23.76 61.50 Tampere|22.27 60.45 Turku
25.47 65.01 Oulu|23.90 54.90 Kaunas|21.14 55.71 Klaipėda|-8.61 41.15 Porto|-2.93 43.26 Bilbao|-0.89 41.65 Zaragoza
-4.42 36.72 Málaga|-1.13 37.98 Murcia|8.93 44.41 Genoa|11.34 44.49 Bologna|11.26 43.77 Florence|10.99 45.44 Verona
12.32 45.44 Venice|13.77 45.65 Trieste|16.87 41.13 Bari|13.36 38.12 Palermo|15.09 37.50 Catania|16.44 43.51 Split
22.94 40.64 Thessaloniki|19.82 41.33 Tirana|21.43 42.00 Skopje|23.60 46.77 Cluj-Napoca|21.23 45.75 Timișoara|27.59 47.16 Iași
24.75 42.15 Plovdiv|28.86 47.01 Chișinău|24.03 49.84 Lviv|30.73 46.48 Odesa|27.14 38.42 İzmir|20.15 46.25 Szeged
21.63 47.53 Debrecen|18.23 46.07 Pécs|-75.16 39.95 Philadelphia|-83.05 42.33 Detroit|-93.27 44.98 Minneapolis|-90.20 38.63 St. Louis
-112.07 33.45 Phoenix|-117.16 32.72 San Diego|-122.68 45.52 Portland|-111.89 40.76 Salt Lake City|-115.14 36.17 Las Vegas|-94.58 39.10 Kansas City
-97.74 30.27 Austin|-98.49 29.42 San Antonio|-90.07 29.95 New Orleans|-82.46 27.95 Tampa|-80.84 35.23 Charlotte|-86.78 36.16 Nashville
-79.99 40.44 Pittsburgh|-81.69 41.50 Cleveland|-75.70 45.42 Ottawa|-71.21 46.81 Québec|-97.14 49.90 Winnipeg|-113.49 53.54 Edmonton`;

export function cityPoints(): Feature<Point, City>[] {
  return [...pointsOf(cities, 0), ...pointsOf(towns, 1)];
}

function pointsOf(list: string, rank: number): Feature<Point, City>[] {
  return list
    .trim()
    .split(/[|\n]/)
    .map((entry) => {
      const [longitude, latitude, ...words] = entry.split(" ");
      const coordinates = [Number(longitude), Number(latitude)];
      return {
        type: "Feature",
        properties: { kind: "city", name: words.join(" "), rank },
        geometry: { type: "Point", coordinates },
      };
    });
}
