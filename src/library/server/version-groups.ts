/** What hangs together by these pairs among the members: groups of two or more. */
export function groupsOf(members: readonly number[], pairs: readonly (readonly [number, number])[]): number[][] {
  const others = new Map<number, number[]>(members.map((member) => [member, []]));
  for (const [one, other] of pairs) {
    others.get(one)?.push(other);
    others.get(other)?.push(one);
  }
  const groups: number[][] = [];
  const seen = new Set<number>();
  for (const member of members) {
    if (seen.has(member)) continue;
    seen.add(member);
    const group = [member];
    // Grows while it is walked.
    for (const reached of group)
      for (const other of others.get(reached) ?? [])
        if (others.has(other) && !seen.has(other)) {
          seen.add(other);
          group.push(other);
        }
    if (group.length > 1) groups.push(group);
  }
  return groups;
}
