import type { ReactNode } from 'react';
import { LinkButton } from '../../../ui/controls/button.tsx';
import styles from './not-found-view.module.css';

/** Says that nothing is at this address: a drawing, one sentence, a link home. `children`: a nearer way on, a primary button. */
export function NotFoundView(props: { title?: string; text?: string; children?: ReactNode }) {
  return (
    <div className={styles['view']}>
      <svg
        className={styles['drawing']}
        viewBox="0 0 320 200"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        <path d="M20 178h280" />
        <path d="M52 178V92a6 6 0 0 1 6-6h204a6 6 0 0 1 6 6v86" />
        <path d="M52 132h74m68 0h74" />
        <path d="M74 86V44h34v42M114 86V30h26v56M212 86V36h34v50" />
        <path d="M82 56h18M82 64h18M121 42h12M121 50h12M220 48h18M220 56h18" />
        <path d="m150 86-4-46 28-4 5 50" strokeDasharray="5 6" />
        <rect x="132" y="120" width="56" height="24" rx="4" />
        <path d="m186 22 14-8m-30 0 2-12m26 26 14 4" stroke="var(--seal)" strokeWidth="3.5" />
        <path d="M146 132h28" />
      </svg>
      <h1 className={styles['title']}>{props.title ?? '抱歉，您访问的页面不存在'}</h1>
      <p className={styles['text']}>{props.text ?? '它可能已被移动，或者地址输入有误。'}</p>
      <div className={styles['ways']}>
        {props.children}
        <LinkButton to="/index" look={props.children ? 'quiet' : 'primary'} size="large">
          返回首页
        </LinkButton>
      </div>
    </div>
  );
}
