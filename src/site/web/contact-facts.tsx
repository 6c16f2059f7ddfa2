import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './contact-facts.module.css';
import { useSite } from './site-facts.ts';

/** Phone and e-mail of customer service, each with a link and a copy button. For dialogs that end with 联系客服. */
export function ContactFacts() {
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
