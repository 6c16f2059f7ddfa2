/** A phone number as people paste it: without spaces, dashes and the country code. */
export function cleanPhone(text: string): string {
  const digits = text.replace(/[\s\-()（）]/g, '');
  return digits.replace(/^(?:\+|00)?86(?=1\d{10}$)/, '');
}
