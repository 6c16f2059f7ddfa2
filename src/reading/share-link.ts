/** The detail page as it is sent to others: with the page that is meant and with who sends it (C-28, C-90). */
export function detailPath(
  documentId: number,
  of: { page?: number | undefined; inviter?: number | undefined },
): string {
  return `/detail/${documentId}${of.inviter ? `?invite=${of.inviter}` : ''}${of.page ? `#p=${of.page}` : ''}`;
}

/** Title and link in one line, to be pasted into a chat. */
export const titleWithLink = (name: string, link: string) => `《${name.replace(/\s+/g, ' ').trim()}》 ${link}`;
