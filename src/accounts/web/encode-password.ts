/** Base64 of the UTF-8 bytes (§5). Not a protection: that is what HTTPS is for. */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)));
}
