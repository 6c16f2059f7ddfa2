/**
 * Returns the page numbers to show around `page` of `last`; null is a gap. First and last are always included: 1 … 4 5
 * 6 … 20.
 */
export function pagesAround(page: number, last: number): (number | null)[] {
  const wanted = [...new Set([1, 2, page - 2, page - 1, page, page + 1, page + 2, last - 1, last])]
    .filter((number) => number >= 1 && number <= last)
    .filter((number) => number === 1 || number === last || Math.abs(number - page) <= 2 || last <= 7)
    .toSorted((a, b) => a - b);
  const pages: (number | null)[] = [];
  let previous = 0;
  for (const number of wanted) {
    // A gap of one page is shown as that page.
    if (number - previous === 2) pages.push(number - 1);
    else if (number - previous > 2) pages.push(null);
    pages.push(number);
    previous = number;
  }
  return pages;
}
