/**
 * Numbers that Teltonika publishes for its models, from each first to each last. Those without a reading have no field of ours:
 * network, accelerometer, engine, doors, driving times, farming, tags in the neighbourhood. Any other number is named to the owner.
 * After https://wiki.teltonika-gps.com/view/Full_AVL_ID_List.
 */
const publishedRanges: readonly (readonly [first: number, last: number])[] = [
  // All models: inputs, outputs, network, accelerometer, OBD, CAN adapters, FMS, tachograph, zones, scenarios.
  [1, 116],
  [118, 260],
  [262, 264],
  // Escort probes, fault codes, Mobileye, cells of the neighbourhood, Bluetooth, scooters, driver's card.
  [269, 367],
  [369, 372],
  [374, 375],
  [377, 377],
  [380, 394],
  [396, 397],
  [399, 412],
  [449, 478],
  [483, 489],
  [500, 529],
  [540, 544],
  [548, 548],
  // More zones, cameras, LTE cells, Bluetooth of professional models, state flags of CAN adapters, J1939.
  [550, 601],
  [603, 623],
  [636, 637],
  [652, 662],
  [665, 667],
  [701, 744],
  [755, 755],
  [759, 759],
  [800, 876],
  [889, 891],
  [898, 1076],
  [1079, 1107],
  [1112, 1113],
  [1116, 1117],
  [1121, 1185],
  [1200, 1203],
  [1205, 1209],
  [1292, 1292],
  [1412, 1412],
  // Refrigeration, tyres (without axle and wheel), tachograph, EYE sensors, electric vehicles, eco driving, ISOBUS.
  [10_009, 10_009],
  [10_040, 10_071],
  [10_189, 10_215],
  [10_298, 10_357],
  [10_360, 10_407],
  [10_428, 10_431],
  [10_455, 10_456],
  [10_464, 10_496],
  [10_500, 10_541],
  [10_611, 10_612],
  [10_631, 10_632],
  [10_639, 10_649],
  [10_683, 10_703],
  [10_800, 10_843],
  [10_879, 10_904],
  [10_911, 10_917],
  [11_002, 11_003],
  [11_317, 11_317],
  [11_700, 11_714],
  [12_000, 12_055],
  [12_100, 12_219],
  [12_301, 12_306],
  [12_400, 12_517],
  [12_582, 12_597],
  [12_630, 12_693],
  [12_710, 12_937],
  [20_012, 20_019],
  [25_015, 25_035],
];

export function isPublished(id: number): boolean {
  return publishedRanges.some(([first, last]) => id >= first && id <= last);
}
