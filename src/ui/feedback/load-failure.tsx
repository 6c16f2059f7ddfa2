import { useRevalidator } from 'react-router';
import { Button } from '../controls/button.tsx';
import { Empty } from './empty.tsx';

/** Says that the data of a page could not be read (`title`, `text` in more words), and loads them again on a press of 重试. */
export function LoadFailure({ title, text }: { title: string; text?: string }) {
  const { revalidate, state } = useRevalidator();
  return (
    <div role="alert">
      <Empty drawing="broken" title={title} text={text}>
        <Button disabled={state === 'loading'} onClick={() => void revalidate()}>
          重试
        </Button>
      </Empty>
    </div>
  );
}
