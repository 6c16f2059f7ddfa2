export default function Page() {
  return <main>home/web/home-page</main>;
}
