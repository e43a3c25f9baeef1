/** Webhooks and what is to be sent to them, as plain data. */

export interface DeliveryTarget {
  readonly id: string;
  readonly url: string;
  /** The types of events that it gets. */
  readonly events: readonly string[];
  /** Whether its address may be on this machine or on its link. */
  readonly isLocal: boolean;
  readonly createdAt: Date;
  /** Why nothing is sent. Undefined means that the target is on. */
  readonly off: WebhookOff | undefined;
  readonly told: string | undefined;
}

/** `gone`: the target wants nothing more. `chosen`: an administrator turned it off. */
export type WebhookOff = "gone" | "chosen";

/** `dead` means that it is not tried again by itself. */
export type DeliveryState = "waiting" | "delivered" | "dead";

export interface Delivery {
  readonly id: string;
  readonly targetId: string;
  readonly event: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly dueAt: Date;
  /** The attempts that have ended. */
  readonly attempts: number;
  readonly state: DeliveryState;
  /** Why the latest attempt failed. */
  readonly fault: string | undefined;
  readonly endedAt: Date | undefined;
}

/** Something that happened, for the targets that want its type. */
export interface NewEvent {
  readonly type: string;
  readonly at: Date;
  readonly data: object;
}

/** How an attempt ended. `fault` is absent if the target has taken the delivery. */
export interface DeliveryOutcome {
  readonly id: string;
  readonly fault?: string;
  /** When it is tried again. Without it, a failed delivery is dead. */
  readonly againAt?: Date;
  /** Whether the attempt was broken off here, and does not count. */
  readonly isBrokenOff?: boolean;
}

/** The most deliveries of one target that wait. Then the oldest are dead. */
export const waitingMax = 10_000;
/** The dead and the delivered ones of one target that are kept. */
export const endedMax = { dead: 1000, delivered: 50 };
/** Events about people who were erased. */
export const erasedEvent = "person.erased";
