import styles from './preview-only.module.css';

/** In the place of price and button where the file is handed out to nobody. `bar`: the same at the bottom edge of a phone. */
export function PreviewOnly({ shape }: { shape: 'card' | 'bar' }) {
  return (
    <p className={[styles['note'], styles[shape]].join(' ')}>
      <b>仅供在线预览</b>
      <span>该文件含有宏，不提供下载</span>
    </p>
  );
}
