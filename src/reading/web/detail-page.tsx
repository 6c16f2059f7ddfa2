export default function Page() {
  return <main>reading/web/detail-page</main>;
}
