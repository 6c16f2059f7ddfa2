import { useState } from 'react';
import { MINI_HOME_QR_PATH } from '../../../accounts/addresses.ts';
import { DOCUMENT_QR_PATH } from '../../../library/addresses.ts';
import { useRootData } from '../../../root-data.ts';
import { QrCode } from '../../../ui/pictures/qr-code.tsx';

/** `className`: the class of the QR code in the style sheet of the tool bar, which is loaded before the panels. */
type Props = { className: string | undefined };

/** A QR code that opens the groups on a phone (§2). */
export function GroupsPanel({ className }: Props) {
  const root = useRootData();
  return (
    <>
      <QrCode className={className} text={`${root?.origin ?? ''}/user/group`} label="社群的二维码" />
      <p>手机扫码看社群</p>
    </>
  );
}

/** The code of the mini program; on the page of a document the code that opens the document on a phone (§2, C-94). */
export function MiniProgramPanel({ className, documentId }: Props & { documentId: string | undefined }) {
  const [isFailed, setIsFailed] = useState(false);
  if (isFailed) return <p>二维码暂时无法显示</p>;
  return (
    <>
      <img
        className={className}
        src={documentId ? `${DOCUMENT_QR_PATH}?scene=${documentId}&type=2` : MINI_HOME_QR_PATH}
        alt={documentId ? '这份方案的二维码' : '小程序码'}
        width={128}
        height={128}
        onError={() => setIsFailed(true)}
      />
      <p>{documentId ? '微信扫码，在手机上看这份方案' : '微信扫码打开小程序'}</p>
    </>
  );
}
