/** §9, C-24. Apart from the contract, so that pages take the words without its schemas. */
export const HOT_WORDS = ['房地产', '餐饮', '电商', '服装', '小红书'] as const;
