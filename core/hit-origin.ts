import { type GoldEntity, isNamedIn } from './gold-set';

/** A text in the order in which it came into a slot's conversation, before the hypothesis was handed in. */
export interface ConversationText {
  /** Ours, the model's own, or a tool's answer. */
  from: 'prompt' | 'model' | 'tool';
  text: string;
  /** The document's URL, for a tool's. */
  document: string | null;
}

export interface HitOrigin {
  origin: ConversationText['from'];
  document: string | null;
}

/**
 * Where the model met an entity first. A hit that a search handed over is not the model's idea; one that the model
 * searched for by name before any tool had said it is. Named nowhere before the hypothesis: the model's own.
 */
export function findHitOrigin(entity: GoldEntity, conversation: readonly ConversationText[]): HitOrigin {
  const first = conversation.find(({ text }) => isNamedIn(entity, text));
  return first ? { origin: first.from, document: first.document } : { origin: 'model', document: null };
}
