/** Webhooks and what is to be sent to them, as plain data. */
import type { ControlRow } from "./tables/control-tables.ts";

export type DeliveryTarget = ControlRow<"targets">;
export type Delivery = ControlRow<"deliveries">;

/** A target with the number of its deliveries that wait, and of those that are not tried again by themselves. */
export interface ListedTarget extends DeliveryTarget {
  readonly waiting: number;
  readonly dead: number;
  /** When the next one is due. */
  readonly dueMs: number | null;
}

/** The ids of targets that the settings file names. Their rows have no address. */
export const namedPrefix = "nt_";

/** Something that happened, for the targets that want its type. */
export interface NewEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: object;
}

/** How an attempt ended. `fault` is absent if the target has taken the delivery. `dueMs` is null if it is dead. */
export interface DeliveryOutcome {
  readonly id: string;
  readonly attempts: number;
  readonly fault?: string;
  readonly dueMs: number | null;
}

/** The most deliveries of one target that wait, and the most that are dead. The oldest ones go. */
export const waitingMax = 10_000;
export const deadMax = 1000;
/** Events about people who were erased. */
export const erasedEvent = "person.erased";
/** The id of the target for mail about saved searches. It has no address: those of accounts are looked up when mail is sent. */
export const searchMailTarget = "searches";
