import { useEffect, useReducer, useRef } from 'react';
import { getMiniLoginScene, MINI_QR_PATH, miniLoginChecking, offiaccountLogin } from '../../contract-scans.ts';
import { call } from '../call.ts';
import { FRESH_SCAN, nextScan, scenesToPoll, type Scan, type ScanAnswer, type Scene } from './scan-state.ts';

export type ScanKind = 'mini' | 'official';
/**
 * A scan with the purpose `prove` proves that the user of this session is the owner of the account; it logs nobody in.
 */
export type ScanPurpose = 'login' | 'prove';

const SECOND_MS = 1000;
/** A QR code that expired in a hidden tab is replaced when its expiry is reported within this time after the return. */
const RETURN_MS = 5000;
/** The codes of C-61. Any other code, such as too many requests, counts as waiting: the next second asks again. */
const ANSWERS: Record<number, ScanAnswer> = { 0: 'done', 3: 'scanned', 5: 'cancelled', 6: 'expired' };

/**
 * Runs a scan login while it is on the screen (§4): fetches a QR code, polls the newest two each second, replaces the
 * code every 20 s. Stands still in a hidden tab. `done` runs once, `cancelled` gets the server's message; `fail` is for
 * a picture that does not load.
 */
export function useScanLogin(
  kind: ScanKind,
  purpose: ScanPurpose,
  on: { done: () => void; cancelled: (message: string) => void },
): { scan: Scan; restart: () => void; fail: () => void } {
  const [scan, tell] = useReducer(nextScan, FRESH_SCAN);
  const now = useRef({ scan, on });
  now.current = { scan, on };

  useEffect(() => {
    if (!scan.isCodeWanted) return;
    let isCurrent = true;
    void fetchScene(kind, purpose).then((scene) => {
      if (isCurrent) tell('id' in scene ? { type: 'made', scene } : { type: 'unmade', why: scene.why });
    });
    return () => void (isCurrent = false);
  }, [kind, purpose, scan.isCodeWanted]);

  const isLive = scenesToPoll(scan).length > 0;
  useEffect(() => {
    if (!isLive) return;
    let isCurrent = true;
    const asked = new Set<string>();
    const ask = async ({ id }: Scene) => {
      if (asked.has(id)) return;
      asked.add(id);
      const reply = await call(miniLoginChecking, { scene: id }).catch(() => null);
      asked.delete(id);
      if (!reply) return;
      const answer = ANSWERS[reply.code] ?? 'waiting';
      // The server tells the login once: a person who closed the dialog in this moment is logged in all the same.
      if (answer === 'done') now.current.on.done();
      if (!isCurrent) return;
      if (answer === 'cancelled') now.current.on.cancelled(reply.message);
      if (answer === 'expired' && now.current.scan.phase === 'waiting' && Date.now() - seenAgainAt < RETURN_MS) {
        return tell({ type: 'restart' });
      }
      tell({ type: 'answered', id, answer });
    };
    let seenAgainAt = 0;
    let wasHidden = false;
    const timer = setInterval(() => {
      if (wasHidden && !document.hidden) seenAgainAt = Date.now();
      wasHidden = document.hidden;
      if (document.hidden) return;
      tell({ type: 'second' });
      for (const scene of scenesToPoll(now.current.scan)) void ask(scene);
    }, SECOND_MS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [isLive]);

  return { scan, restart: () => tell({ type: 'restart' }), fail: () => tell({ type: 'unmade', why: '' }) };
}

/** Fetches a scene. `why`: the server's message when there is none just now, "" when the server could not be asked. */
async function fetchScene(kind: ScanKind, purpose: ScanPurpose): Promise<Scene | { why: string }> {
  if (kind === 'mini') {
    const reply = await call(getMiniLoginScene, { purpose }).catch(() => null);
    const id = reply?.data?.scene;
    return id ? { id, image: `${MINI_QR_PATH}?scene=${encodeURIComponent(id)}` } : { why: reply?.message ?? '' };
  }
  const reply = await call(offiaccountLogin, { channel: 'web', purpose }).catch(() => null);
  return reply?.data?.scene ? { id: reply.data.scene, image: reply.data.qr_url } : { why: reply?.message ?? '' };
}
