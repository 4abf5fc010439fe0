"""
What an integrator would run. The test says what: `lists URL KEY FROM TO`, `follow URL KEY AFTER COUNT ON_EXPIRED`,
`watch URL KEY COUNT`, `stop URL KEY`, `changes URL KEY` or `fail URL KEY`.
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
    trips = odograph.list_trips(from_=start, to=end, limit=1)
    first = next(trips)
    pages = [len(page) for page in trips.pages()]
    long = odograph.report_mileage(from_="2025-01-01", to=end)
    print(
        json.dumps(
            {
                "names": [device["name"] for device in devices],
                "times": [position["recorded_at"] for position in history],
                "same": odograph.get_device(van["imei"]) == van,
                "code": code,
                "readings": len(list(odograph.list_sensor_readings("fuel", from_=start, to=end))),
                "window": trips.window,
                "pages": [first["device_id"] in [each["device_id"] for each in devices], *pages],
                "rest": len(list(trips)),
                "clamped": [long.window.is_clamped, len(list(long)), odograph.list_devices().window],
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

if what == "watch":
    hasty = OdographClient(url, key, timeout_s=100, retries=0, longest_wait_s=0)
    waits = []
    stop = threading.Event()
    watched = hasty.watch_latest_positions(
        limit=1, interval_s=0.02, on_wait=lambda error, wait_s: waits.append(wait_s), stop=stop
    )
    left = []
    seen = []
    try:
        for positions in islice(watched, int(rest[0])):
            seen.append([[each["name"], each["latitude"]] for each in positions])
            left.append(hasty.quota.left_today if hasty.quota else None)
        stop.set()
        over = [list(watched), list(hasty.watch_latest_positions(stop=stop))]
        print(json.dumps({"seen": seen, "left": left, "waits": len(waits), "over": over}))
    except OdographError as error:
        print(json.dumps({"code": error.code, "waits": len(waits)}))

if what == "stop":
    # Set while it waits, until tomorrow or between two looks.
    stop = threading.Event()
    soon = threading.Timer(0.05, stop.set)
    found = 0
    for _ in odograph.watch_latest_positions(interval_s=3600, on_wait=lambda *_: soon.start(), stop=stop):
        found += 1
        soon.start()
    print(json.dumps(found))

if what == "changes":
    quota_before = odograph.quota
    start = odograph.list_changes(types=["device", "trip"])
    empty = list(start)
    again = odograph.list_changes(after=start.resume_after, limit=1)
    quota = odograph.quota
    print(
        json.dumps(
            {
                "before": quota_before,
                "empty": empty,
                "again": [list(again), again.resume_after == start.resume_after, again.window],
                "quota": quota and [quota.per_day, quota.left_today, quota.per_second, 0 < quota.reset_s <= 86400],
            }
        )
    )

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
