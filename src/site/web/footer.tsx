import { Link } from 'react-router';
import { Mark } from '../../ui/mark.tsx';
import styles from './footer.module.css';
import { useSite } from './site-facts.ts';

const REGISTRY = 'https://beian.miit.gov.cn';

/** Who runs the site and how to reach them, the legal pages, the ICP number (§1). */
export function Footer() {
  const site = useSite();
  if (!site) return null;
  return (
    <footer className={styles['footer']}>
      <div className={styles['row']}>
        <div className={styles['about']}>
          <p className={styles['brand']}>
            <Mark size={28} />
            {site.name}
          </p>
          <p>
            <span className={styles['phrase']}>活动策划与营销方案资料库：</span>
            <span className={styles['phrase']}>找得到，看得清，拿来就能用。</span>
          </p>
        </div>
        <nav aria-label="浏览">
          <p className={styles['head']}>浏览</p>
          <Link to="/index">首页</Link>
          <Link to="/report">搜方案</Link>
          <Link to="/aboutVip">开通会员</Link>
        </nav>
        <nav aria-label="条款">
          <p className={styles['head']}>条款</p>
          <Link to="/protocol">服务协议</Link>
          <Link to="/privacy">隐私政策</Link>
          <Link to="/infringement">侵权投诉</Link>
        </nav>
        <address className={styles['contact']}>
          <p className={styles['head']}>联系我们</p>
          <a href={`tel:${site.companyPhone}`}>{site.companyPhone}</a>
          <a href={`mailto:${site.companyEmail}`}>{site.companyEmail}</a>
          <p>{site.companyAddress}</p>
        </address>
      </div>
      <div className={styles['legal']}>
        <span>© {site.companyName}</span>
        <a href={REGISTRY} target="_blank" rel="noopener noreferrer">
          {site.icpNumber}
        </a>
      </div>
    </footer>
  );
}
