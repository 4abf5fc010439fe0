import os

import pandas as pd
from odograph_client import OdographClient

base, key = "https://fleet.example/v1", os.environ["FLEET_KEY"]
mileage = pd.read_csv(
    f"{base}/reports/mileage?from=2026-11-01&format=csv",
    storage_options={"X-API-Key": key},
    dtype={"imei": str},
)
print(mileage.groupby("name")["distance_km"].sum().nlargest(3))

# All pages of a list, with the client.
trips = pd.DataFrame(OdographClient(base, key).list_trips(from_="2026-11-01", limit=500))
trips["started_at"] = pd.to_datetime(trips["started_at"])
print(trips.groupby("driver_name", dropna=False)["distance_km"].sum())
