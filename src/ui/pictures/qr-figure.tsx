import type { ReactNode } from 'react';
import { QrCode } from './qr-code.tsx';
import styles from './qr-figure.module.css';

/** A QR code with the line below it that says what a scan does. `label` names the code for screen readers. */
export function QrFigure({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  return (
    <figure className={styles['figure']}>
      <QrCode className={styles['code']} text={text} label={label} />
      <figcaption>{children}</figcaption>
    </figure>
  );
}
