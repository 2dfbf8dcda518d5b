# A text that loops, asks the scope and formats.
$list = Integer[1, 200]
$items = $list.map |$n| { { 'name' => "item${n}", 'weight' => $n * 3 % 17 } }
inline_template('<% @items.sort_by { |item| [item["weight"], item["name"]] }.each_with_index do |item, at| -%>
<%= format("%03d %-10s %5.2f", at, item["name"].capitalize, item["weight"] / 3.0) %> <%= scope["items"].size %>
<% end -%>')
