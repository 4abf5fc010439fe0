select name, plate, sum(distance_km) as km
from read_csv('mileage.csv', types = {'imei': 'VARCHAR'})
group by name, plate
order by km desc;
