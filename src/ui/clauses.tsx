/** Renders a sentence that breaks only after its commas, so that a date or a name stays whole. */
export function Clauses({ text }: { text: string }) {
  return text.split(/(?<=，)/).map((clause) => (
    <span key={clause} style={{ display: 'inline-block' }}>
      {clause}
    </span>
  ));
}
