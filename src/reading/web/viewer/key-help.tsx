import { Sheet } from '../../../ui/feedback/sheet.tsx';
import styles from './key-help.module.css';

/** Every key of the viewer, as page-viewer.tsx and presentation.tsx handle them. */
const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['←', '→'], '上一页、下一页；放大后移动页面'],
  [['PgUp', 'PgDn'], '上一页、下一页'],
  [['空格'], '往下看，看完一页到下一页'],
  [['↑', '↓'], '移动放大的页面'],
  [['Home', 'End'], '第一页、最后一页'],
  [['+', '−'], '放大、缩小；也可按住 Ctrl 滚动滚轮'],
  [['0'], '适合页面'],
  [['W'], '适合宽度'],
  [['/'], '在方案内查找'],
  [['O'], '目录'],
  [['P'], '演示'],
  [['F'], '全屏'],
  [['Esc'], '关闭'],
];

const TOUCHES: readonly (readonly [gesture: string, does: string])[] = [
  ['左右滑动', '上一页、下一页'],
  ['双指张合', '放大、缩小'],
  ['双击', '放大，再双击还原'],
  ['轻点', '隐藏或显示工具栏'],
];

/** Explains the keys and gestures of the viewer. Opened by ? and from the menu. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title="操作方法" onClose={onClose}>
      <div className={styles['groups']}>
        <section className={styles['byKey']}>
          <h3 className={styles['title']}>键盘</h3>
          <dl className={styles['keys']}>
            {KEYS.map(([keys, does]) => (
              <div key={does}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h3 className={styles['title']}>触屏</h3>
          <dl className={styles['keys']}>
            {TOUCHES.map(([gesture, does]) => (
              <div key={gesture}>
                <dt>{gesture}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Sheet>
  );
}
