import { openRendererSlot, type RendererSlot } from '../render/renderer-slot.ts';
import type { ConverterSlots, HeldSlot } from './converter-slots.ts';

/**
 * How long a render child is kept without work: LibreOffice takes some seconds for a batch, and a child that has to be started again
 * costs half a second of processor time.
 */
const CHILD_IDLE_MS = 10_000;
/** How long a process that has work keeps a slot for which another process waits: the other starts a render child of its own. */
const SLICE_MS = 20_000;

/** Runs one child at a time, and keeps a render child warm between its jobs. */
export type ChildRunner = {
  slot: RendererSlot;
  /**
   * Waits until this process may run a child here, or the wait is cancelled. Call it before each piece of work when there are slots
   * to share. Never rejects.
   */
  claim(isCancelled: () => boolean): Promise<void>;
  /** Gives the converter slot to other processes, because there is no work. */
  rest(): void;
};

/** Opens a child runner. Without `slots` it shares nothing with other processes. */
export function openChildRunner(slots: ConverterSlots | null): ChildRunner {
  const slot = openRendererSlot({ idleMs: CHILD_IDLE_MS });
  let held: HeldSlot | null = null;
  let heldSince = 0;
  const rest = () => {
    held?.release();
    held = null;
  };
  return {
    slot,
    rest,
    async claim(isCancelled) {
      if (!slots) return;
      if (held && Date.now() - heldSince > SLICE_MS && (await held.isWanted())) rest();
      if (held) return;
      try {
        held = await slots.tryTake();
        if (!held) {
          // The process that holds the slot needs the memory.
          slot.close();
          held = await slots.take(isCancelled);
        }
      } catch {
        // While the database does not answer, work goes on without a slot, and fails at its next statement.
      }
      heldSince = Date.now();
    },
  };
}
