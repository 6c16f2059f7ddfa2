/** A sentence that breaks into lines after its commas alone, so that a date or a name stays whole. */
export function Clauses({ text }: { text: string }) {
  return text.split(/(?<=，)/).map((clause) => (
    <span key={clause} style={{ display: 'inline-block' }}>
      {clause}
    </span>
  ));
}
