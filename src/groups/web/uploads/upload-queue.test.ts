import { describe, expect, it } from 'vitest';
import { isHeldUp, nextToSend, type LocalUpload, type UploadPhase } from './upload-queue.ts';

/** Files in these phases; the first one was chosen first. */
const chosen = (...phases: UploadPhase[]): LocalUpload[] =>
  phases
    .map((phase, index) => ({ id: index + 1, file: new File([], 'a.pdf'), sent: 0, phase, message: '', key: '' }))
    .toReversed();

describe('files that are chosen together', () => {
  it('are sent three at once, in the order of their choice', () => {
    expect(nextToSend(chosen('waiting', 'waiting'), 0)?.id).toBe(1);
    expect(nextToSend(chosen('sending', 'checking', 'waiting', 'waiting'), 0)?.id).toBe(3);
    expect(nextToSend(chosen('sending', 'sending', 'checking', 'waiting'), 0)).toBeUndefined();
    expect(nextToSend(chosen('failed', 'sending', 'sending', 'waiting'), 0)?.id).toBe(4);
    expect(nextToSend(chosen('sending', 'paused'), 0)).toBeUndefined();
  });

  it('wait while the server converts as many as it takes of one member, paused ones included', () => {
    expect(nextToSend(chosen('waiting'), 4)?.id).toBe(1);
    expect(nextToSend(chosen('waiting'), 5)).toBeUndefined();
    expect(nextToSend(chosen('sending', 'waiting'), 4)).toBeUndefined();
    expect(nextToSend(chosen('paused', 'paused', 'waiting'), 3)).toBeUndefined();
    expect(nextToSend(chosen('paused', 'paused', 'paused', 'waiting'), 1)?.id).toBe(4);
  });

  it('are held up when they wait and none is sent', () => {
    expect(isHeldUp(chosen('waiting'))).toBe(true);
    expect(isHeldUp(chosen('paused', 'waiting'))).toBe(true);
    expect(isHeldUp(chosen('sending', 'waiting'))).toBe(false);
    expect(isHeldUp(chosen('failed'))).toBe(false);
  });
});
