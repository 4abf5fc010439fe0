import { gt06AlarmMessages } from "./gt06-alarms.ts";
import { gt06ModelMessages } from "./gt06-models.ts";
import { gt06MoreMessages } from "./gt06-more.ts";
import { gt06OtherMessages } from "./gt06-others.ts";
import { gt06PlaceMessages } from "./gt06-places.ts";
import { gt06StateMessages } from "./gt06-states.ts";

/** Messages of real trackers of many models, with where they were published. */
export const gt06FieldMessages = [
  ...gt06StateMessages,
  ...gt06PlaceMessages,
  ...gt06AlarmMessages,
  ...gt06ModelMessages,
  ...gt06OtherMessages,
  ...gt06MoreMessages,
];
