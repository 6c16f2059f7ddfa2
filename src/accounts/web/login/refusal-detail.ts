/** Returns what the `data` of a refusal says beside its message: `field`, `retry_after`, `proof`; undefined where it says no such thing. */
export function refusalDetail(data: object | null, name: string): unknown {
  const details: Record<string, unknown> = { ...data };
  return details[name];
}
