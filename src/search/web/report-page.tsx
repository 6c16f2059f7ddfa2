export default function Page() {
  return <main>search/web/report-page</main>;
}
