export default function Page() {
  return <main>site/web/protocol-page</main>;
}
