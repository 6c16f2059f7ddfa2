import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../../ui/controls/button.tsx';
import { ChoiceList } from '../filters/choice-list.tsx';
import { Dropdown } from '../filters/dropdown.tsx';
import styles from './chart-filter-bar.module.css';
import type { ChartFilterGroup, chartFilterGroups } from './chart-filters.ts';
import { chartHref, chartParams, type ChartQuery } from './chart-query.ts';

/** The filters of /chart: type, industry, and time with presets and a range of days. */
export function ChartFilterBar(props: { query: ChartQuery; groups: ReturnType<typeof chartFilterGroups> }) {
  const { query, groups } = props;
  return (
    <nav className={styles['bar']} data-screen aria-label="筛选">
      <Filter group={groups.type} columns={2} />
      <Filter group={groups.industry} columns={2} />
      <Dropdown label="时间" value={groups.time.current}>
        <ChoiceList {...groups.time} unit="张" />
        <RangeForm key={`${query.start} ${query.end}`} query={query} />
      </Dropdown>
    </nav>
  );
}

function Filter({ group, columns }: { group: ChartFilterGroup; columns: 1 | 2 }) {
  return (
    <Dropdown label={group.label} value={group.current} columns={columns}>
      <ChoiceList {...group} unit="张" columns={columns} />
    </Dropdown>
  );
}

const RANGE_REFUSED = '开始时间不能晚于结束时间';

/** A range of days in Beijing (C-91): a form, so that it works without scripts too; the server refuses a range that ends before it starts. */
function RangeForm({ query }: { query: ChartQuery }) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState('');
  const kept = chartParams(query, { dateRange: 0, start: '', end: '' });
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const dayOf = (name: 'start' | 'end') => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const [start, end] = [dayOf('start'), dayOf('end')];
    if (start > end) return setProblem(RANGE_REFUSED);
    setProblem('');
    form.closest('details')?.removeAttribute('open');
    void navigate(chartHref(query, { dateRange: 0, start, end }), { preventScrollReset: true });
  };
  return (
    <form className={styles['range']} action="/chart" onSubmit={choose} aria-label="自定义时间">
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        开始日期
        <input type="date" name="start" min="1990-01-01" max="2099-12-31" defaultValue={query.start} required />
      </label>
      <label>
        结束日期
        <input
          type="date"
          name="end"
          min="1990-01-01"
          max="2099-12-31"
          defaultValue={query.end}
          required
          aria-invalid={problem !== ''}
          aria-describedby={problem ? 'range-problem' : undefined}
        />
      </label>
      {problem && (
        <p id="range-problem" role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <Button type="submit" look="quiet" size="small">
        按日期筛选
      </Button>
    </form>
  );
}
