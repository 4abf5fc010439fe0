import type { DecodedMessage } from "../kit/family.ts";

/** What a message has behind its head. `alarm`: the number by which an alarm is answered. */
export type Contents = Partial<DecodedMessage<null>> & Pick<DecodedMessage<null>, "what"> & { readonly alarm?: number };
