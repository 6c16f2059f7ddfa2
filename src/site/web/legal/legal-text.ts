/** Who runs the site, as the legal pages name them. */
export type Operator = {
  name: string;
  companyName: string;
  companyPhone: string;
  companyEmail: string;
  companyAddress: string;
};

/** A paragraph, or a list. Nothing here is markup. */
export type LegalBlock = string | { list: string[] } | { table: { head: string[]; rows: string[][] } };

export type LegalSection = { id: string; title: string; blocks: LegalBlock[] };

export type LegalText = {
  title: string;
  /** YYYY-MM-DD */
  updatedOn: string;
  effectiveOn: string;
  /** Which texts held before this one. */
  history: string;
  /** The few sentences a hurried reader should not miss. */
  summary: string[];
  sections: LegalSection[];
};
