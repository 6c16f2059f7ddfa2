import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { Button } from '../controls/button.tsx';
import { Empty } from './empty.tsx';

/**
 * Says that the data of a page could not be read (`title`, `text` in more words), and loads them again on a press of 重试, or when the
 * network comes back. `heading`: `h1` on pages that have no other.
 */
export function LoadFailure(props: { title: string; text?: string; heading?: 'h1' }) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    const retry = () => void revalidate();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [revalidate]);
  return (
    <div role="alert">
      <Empty drawing="broken" {...props}>
        <Button disabled={state === 'loading'} onClick={() => void revalidate()}>
          重试
        </Button>
      </Empty>
    </div>
  );
}
