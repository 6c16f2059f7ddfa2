import { data } from 'react-router';

export function loader() {
  return data(null, 404);
}

export default function NotFoundPage() {
  return <main>抱歉，您访问的页面不存在</main>;
}
