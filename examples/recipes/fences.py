import io
import os
import urllib.request

import geopandas

address = "https://fleet.example/v1/geofences?limit=500&format=geojson&geometry=area"
request = urllib.request.Request(address, headers={"X-API-Key": os.environ["FLEET_KEY"]})
fences = geopandas.read_file(io.BytesIO(urllib.request.urlopen(request).read()))
fences[["name", "shape", "geometry"]].to_file("fences.gpkg")
