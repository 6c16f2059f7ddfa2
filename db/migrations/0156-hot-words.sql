-- The hot words of the search fields (C-24), in their order. The operator changes them.
create table hot_words (
  position integer primary key,
  word text not null unique check (word <> '')
);
insert into hot_words (position, word)
  values (0, '房地产'), (1, '餐饮'), (2, '电商'), (3, '服装'), (4, '小红书');

-- Pages that are kept for visitors show hot words (0060).
create trigger page_change_hot_words after insert or update or delete on hot_words
  for each statement execute function notify_page_change();
