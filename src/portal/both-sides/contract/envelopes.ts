import type { Effect, EffectWarning } from "../../../fleet/consequences/effect-types.ts";

export type { Effect, EffectWarning };

/** A route: what it answers; what is sent to it, if anything; what it answers to a preview, if it has one. */
export interface Call<Answer, Sent = undefined, Previewed = never> {
  readonly answer: Answer;
  readonly sent: Sent;
  readonly previewed: Previewed;
}

/** A file, or whatever else is sent while it is made. */
export type Streamed = Response;

export interface List<Item> {
  readonly data: readonly Item[];
}

export interface One<Item> {
  readonly data: Item;
}

/** What is known of every record that the fleet file or the portal manages. */
export interface Managed {
  readonly revision: number;
  /** Where it was changed last. */
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
}

/** The fields of a record that an edit sets, as a line of a fleet file has them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record that is to be changed as the person has seen it. */
export interface SeenRevision {
  readonly revision: number;
}

export interface ChangedFields extends SeenRevision {
  readonly fields: Fields;
}

/** A record after an edit, and what the edit concerned. */
export interface Edited<Item> extends One<Item> {
  readonly effect: Effect;
}

/** What an edit would concern. */
export type EditPreview<More = unknown> = One<{ readonly effect: Effect } & More>;

/** Adds a record. */
export type AddCall<Item> = Call<Edited<Item>, { readonly fields: Fields }, EditPreview>;
/** Changes one. */
export type ChangeCall<Item> = Call<Edited<Item>, ChangedFields, EditPreview>;

/** What becomes of the history of something that is removed. */
export interface RemovalRequest extends SeenRevision {
  readonly history: "keep" | "erase";
}

export type RemoveCall<More> = Call<
  Edited<{ readonly id: string; readonly history: RemovalRequest["history"] }>,
  RemovalRequest,
  EditPreview<More>
>;
