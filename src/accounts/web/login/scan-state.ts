/**
 * §4: a QR code is replaced after 20 s. The previous code stays valid, so that a scan at second 19 is not lost (C-61).
 */
const SECONDS_A_CODE = 20;
const POLLED_CODES = 2;
/** After five minutes nobody sits in front of the dialog: the QR code stays covered until somebody asks for another. */
export const MAX_CODES = 15;

export type Scene = {
  id: string;
  /** Address of the picture to scan. */
  image: string;
};

type ScanPhase = 'loading' | 'waiting' | 'scanned' | 'cancelled' | 'expired' | 'failed' | 'done';

export type Scan = {
  phase: ScanPhase;
  /** Newest first: the scene that is shown, and the previous scene. */
  scenes: readonly Scene[];
  /** The scene that a phone has scanned; its countdown stops. */
  scannedId: string | null;
  secondsLeft: number;
  /** QR codes made since somebody last asked for one. */
  made: number;
  /** The server's message where no QR code could be made; "" otherwise. */
  why: string;
  /** True while another QR code has to be fetched. */
  isCodeWanted: boolean;
};

export type ScanAnswer = 'done' | 'waiting' | 'scanned' | 'cancelled' | 'expired';

export type ScanEvent =
  | { type: 'made'; scene: Scene }
  | { type: 'unmade'; why: string }
  | { type: 'second' }
  | { type: 'answered'; id: string; answer: ScanAnswer }
  | { type: 'restart' };

export const FRESH_SCAN: Scan = {
  phase: 'loading',
  scenes: [],
  scannedId: null,
  secondsLeft: SECONDS_A_CODE,
  made: 0,
  why: '',
  isCodeWanted: true,
};

/** The scenes to ask about in this second. Where another QR code could not be made, the codes before it are still valid and may have been scanned. */
export function scenesToPoll(scan: Scan): readonly Scene[] {
  if (isOpen(scan)) return scan.scenes;
  if (scan.phase === 'scanned') return scan.scenes.filter((scene) => scene.id === scan.scannedId);
  return [];
}

/** Returns the state of the dialog after an event (§4 scan login, C-61). */
export function nextScan(scan: Scan, event: ScanEvent): Scan {
  switch (event.type) {
    case 'restart':
      return FRESH_SCAN;
    case 'made':
      return made(scan, event.scene);
    case 'unmade':
      return { ...scan, phase: isBeforeScan(scan) ? 'failed' : scan.phase, why: event.why, isCodeWanted: false };
    case 'second':
      return secondPassed(scan);
    case 'answered':
      return scan.scenes.some((scene) => scene.id === event.id) ? answered(scan, event.id, event.answer) : scan;
  }
}

/** No phone is known to have scanned one of the scenes, if there are any. */
const isOpen = (scan: Scan) => scan.phase === 'waiting' || scan.phase === 'failed';

const isBeforeScan = (scan: Scan) => scan.phase === 'loading' || scan.phase === 'waiting';

/**
 * Adds a fetched scene. A scene that arrives after the previous one was scanned is not shown: somebody is confirming
 * that one.
 */
function made(scan: Scan, scene: Scene): Scan {
  if (!isBeforeScan(scan)) return { ...scan, isCodeWanted: false };
  return {
    phase: 'waiting',
    scenes: [scene, ...scan.scenes].slice(0, POLLED_CODES),
    scannedId: null,
    secondsLeft: SECONDS_A_CODE,
    made: scan.made + 1,
    why: '',
    isCodeWanted: false,
  };
}

function secondPassed(scan: Scan): Scan {
  if (scan.phase !== 'waiting' || scan.isCodeWanted) return scan;
  if (scan.secondsLeft > 1) return { ...scan, secondsLeft: scan.secondsLeft - 1 };
  if (scan.made >= MAX_CODES) return { ...scan, secondsLeft: 0, phase: 'expired' };
  return { ...scan, secondsLeft: 0, isCodeWanted: true };
}

function answered(scan: Scan, id: string, answer: ScanAnswer): Scan {
  if (!isOpen(scan) && scan.phase !== 'scanned') return scan;
  if (answer === 'done') return { ...scan, phase: 'done', isCodeWanted: false };
  if (scan.phase === 'scanned' && scan.scannedId !== id) return scan;
  if (answer === 'scanned') return { ...scan, phase: 'scanned', scannedId: id, isCodeWanted: false };
  if (answer === 'cancelled') return { ...scan, phase: 'cancelled', isCodeWanted: false };
  if (answer === 'expired' && id === (scan.scannedId ?? scan.scenes[0]?.id)) {
    return { ...scan, phase: 'expired', isCodeWanted: false };
  }
  return scan;
}
