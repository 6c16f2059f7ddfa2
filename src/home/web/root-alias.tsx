export default function Page() {
  return <main>home/web/root-alias</main>;
}
