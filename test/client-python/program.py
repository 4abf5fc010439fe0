"""
What an integrator would run. The test says what: `lists URL KEY FROM TO`, `follow URL KEY AFTER COUNT ON_EXPIRED` or
`fail URL KEY`.
"""

import json
import sys
import threading
from itertools import islice

from odograph_client import OdographClient, OdographError

what, url, key, *rest = sys.argv[1:]
odograph = OdographClient(url, key, timeout_s=100)

if what == "lists":
    start, end = rest
    devices = list(odograph.list_devices(limit=1))
    van = next(device for device in devices if device["name"] == "Amber van")
    history = odograph.list_position_history(imei=van["imei"], from_=start, to=end, valid_only=False, limit=1)
    try:
        odograph.get_device("no/body")
        code = "none"
    except OdographError as error:
        code = error.code
    known = list(odograph.backfill(from_=start))
    print(
        json.dumps(
            {
                "names": [device["name"] for device in devices],
                "times": [position["recorded_at"] for position in history],
                "same": odograph.get_device(van["imei"]) == van,
                "code": code,
                "readings": len(list(odograph.list_sensor_readings("fuel", from_=start, to=end))),
                "known": [[each["type"], each["id"], each["device_id"]] for each in known],
            }
        )
    )

if what == "follow":
    after, count, on_expired = rest
    waits = []
    stop = threading.Event()
    batches = []
    found = odograph.follow(
        after=after,
        types=["trip", "alert"],
        interval_s=0.01,
        on_expired=on_expired,
        on_wait=lambda error, wait_s: waits.append(wait_s),
        stop=stop,
    )
    try:
        for changes, resume_after, is_start in islice(found, int(count)):
            batches.append([[change["id"] for change in changes], resume_after, is_start])
        stop.set()
        # It ends the loop, and does not wait before.
        rest_of_them = len(list(found))
        print(json.dumps({"batches": batches, "waits": len(waits), "rest": rest_of_them}))
    except OdographError as error:
        print(json.dumps({"batches": batches, "code": error.code, "status": error.status}))

if what == "fail":
    impatient = OdographClient(url, key, timeout_s=100, retries=0)
    found = []
    for read in (lambda: list(impatient.list_devices()), lambda: impatient.get_device("d")):
        try:
            read()
        except OdographError as error:
            found.append([error.code, str(error)])
        except OSError as error:
            found.append([type(error).__name__, str(error)])
    print(json.dumps(found))
