import type { ChartNumbers } from '../contract.ts';
import styles from './numbers-table.module.css';
import { numberText } from './number-text.ts';

/** The numbers of a chart as a table that scrolls in both directions under its head and beside its labels. */
export function NumbersTable({ numbers }: { numbers: ChartNumbers }) {
  const { columns, labels, label_head: labelHead } = numbers;
  const hasLabels = labelHead !== '';
  const rowCount = Math.max(labels.length, ...columns.map(({ values }) => values.length));
  return (
    // It scrolls by itself, so the keyboard must reach it.
    <div className={styles['frame']} role="region" aria-label={`${numbers.name}的数字`} tabIndex={0}>
      <table className={styles['table']}>
        <thead>
          <tr>
            {hasLabels && (
              <th scope="col" className={styles['label']}>
                <span>{labelHead}</span>
              </th>
            )}
            {columns.map(({ name, unit }, index) => (
              <th key={index} scope="col">
                <span className={styles['name']} title={name}>
                  {name}
                </span>
                {unit !== '' && unit !== '%' && unit !== numbers.unit && (
                  <span className={styles['unit']}>（{unit}）</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rowCount }, (_, row) => (
            <tr key={row}>
              {hasLabels && (
                <th scope="row" className={styles['label']}>
                  <span>{labels[row] ?? ''}</span>
                </th>
              )}
              {columns.map(({ values, unit }, index) => (
                <td key={index}>
                  <Value value={values[row] ?? null} unit={unit} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value, unit }: { value: number | null; unit: string }) {
  if (value !== null) return numberText(value, unit);
  return (
    <>
      <span className={styles['gap']} aria-hidden="true">
        –
      </span>
      <span className="visually-hidden">无数据</span>
    </>
  );
}
