import styles from './preview-only.module.css';

/** Replaces price and button of a document whose file cannot be downloaded. `bar`: for the lower edge of a phone. */
export function PreviewOnly({ shape }: { shape: 'card' | 'bar' }) {
  return (
    <p className={[styles['note'], styles[shape]].join(' ')}>
      <b>仅供在线预览</b>
      <span>该文件含有宏，不提供下载</span>
    </p>
  );
}
