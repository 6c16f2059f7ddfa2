export default function Page() {
  return <main>membership/web/about-vip-page</main>;
}
