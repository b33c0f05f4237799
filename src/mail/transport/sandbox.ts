// The transport for development and trials: it accepts every letter and hands it to a sink; nothing leaves.
import type { Envelope, Transport } from './transport.ts';

export type SandboxLetter = { envelope: Envelope; bytes: Uint8Array; idempotency_key: string };

/** The same two stages as a real one, so that whoever sends learns nothing wrong here. */
export function openSandbox(sink: (letter: SandboxLetter) => void | Promise<void>): Transport {
  return {
    async send({ envelope, bytes, idempotency_key, beforeFinalDot, signal }) {
      if (signal?.aborted) return { outcome: 'not_sent', why: 'cut' };
      try {
        await beforeFinalDot();
      } catch {
        return { outcome: 'not_sent', why: 'hook' };
      }
      await sink({ envelope, bytes, idempotency_key });
      return { outcome: 'accepted', server_message_id: null, reference: null };
    },
    close: () => Promise.resolve(),
  };
}
