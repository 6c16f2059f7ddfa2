import { MINI_HOME_QR_PATH } from '../../../accounts/addresses.ts';
import { useLinkClicks } from '../../../ui/navigation/use-link-clicks.ts';
import { Mark } from '../../../ui/pictures/mark.tsx';
import { useImageFailure } from '../../../ui/pictures/use-image-failure.ts';
import styles from './footer.module.css';
import { useRootData, useSite } from '../../../root-data.ts';

const REGISTRY = 'https://beian.miit.gov.cn';
/** The record of the police, by the digits of the number. */
const POLICE = 'https://beian.mps.gov.cn/#/query/webSearch?code=';

/** Shows the operator of the site and the contact, the code of the mini program, links to the legal pages, the ICP number and that of the police (§1). */
export function Footer() {
  const site = useSite();
  const onClick = useLinkClicks();
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
          <MiniProgram />
        </div>
        <nav aria-label="浏览" onClick={onClick}>
          <p className={styles['head']}>浏览</p>
          <a href="/index">首页</a>
          <a href="/report">搜方案</a>
          <a href="/chart">搜图表</a>
          <a href="/collection">专题</a>
          <a href="/filetype/1">按格式浏览</a>
          <a href="/aboutVip">开通会员</a>
        </nav>
        <nav aria-label="条款" onClick={onClick}>
          <p className={styles['head']}>条款</p>
          <a href="/protocol">服务协议</a>
          <a href="/privacy">隐私政策</a>
          <a href="/infringement">侵权投诉</a>
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
        {site.publicSecurityNumber && (
          <a
            href={`${POLICE}${site.publicSecurityNumber.replace(/\D/g, '')}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {site.publicSecurityNumber}
          </a>
        )}
      </div>
    </footer>
  );
}

/** The code of the mini program, where the site has one and the code can be had. Loaded when the footer comes near. */
function MiniProgram() {
  const root = useRootData();
  const { image, isFailed, onError } = useImageFailure(MINI_HOME_QR_PATH);
  if (root?.loginMethods?.mini !== 1 || isFailed) return null;
  return (
    <figure className={styles['mini']}>
      <img
        ref={image}
        src={MINI_HOME_QR_PATH}
        alt="小程序的二维码"
        width={88}
        height={88}
        loading="lazy"
        onError={onError}
      />
      <figcaption>微信扫码打开小程序</figcaption>
    </figure>
  );
}
