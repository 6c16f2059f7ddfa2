/** The hot words that a new site has (C-24, migration 0156). */
export const HOT_WORDS = ['房地产', '餐饮', '电商', '服装', '小红书'];
