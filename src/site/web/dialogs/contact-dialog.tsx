import styles from './contact-dialog.module.css';
import { Sheet } from '../../../ui/feedback/sheet.tsx';
import { CopyButton } from '../../../ui/feedback/copy-button.tsx';
import { useSite } from '../../../root-data.ts';

/** How to reach customer service: `text` says what for, `note` stands small at the end. */
export function ContactDialog(props: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  text: string;
  note?: string;
}) {
  if (!props.isOpen) return null;
  return (
    <Sheet title={props.title} onClose={props.onClose}>
      <p className={styles['text']}>{props.text}</p>
      <ContactFacts />
      {props.note && <p className={styles['note']}>{props.note}</p>}
    </Sheet>
  );
}

/** Phone and e-mail of customer service, each with a link and a copy button. For dialogs that end with 联系客服. */
function ContactFacts() {
  const site = useSite();
  if (!site) return null;
  return (
    <dl className={styles['facts']}>
      <div>
        <dt>客服电话</dt>
        <dd>
          <a href={`tel:${site.companyPhone}`}>{site.companyPhone}</a>
          <CopyButton value={site.companyPhone} label="复制客服电话" />
        </dd>
      </div>
      <div>
        <dt>客服邮箱</dt>
        <dd>
          <a href={`mailto:${site.companyEmail}`}>{site.companyEmail}</a>
          <CopyButton value={site.companyEmail} label="复制客服邮箱" />
        </dd>
      </div>
    </dl>
  );
}
