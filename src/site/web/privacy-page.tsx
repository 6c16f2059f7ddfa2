export default function Page() {
  return <main>site/web/privacy-page</main>;
}
