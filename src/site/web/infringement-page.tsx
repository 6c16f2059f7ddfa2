export default function Page() {
  return <main>site/web/infringement-page</main>;
}
