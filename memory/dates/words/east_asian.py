"""Chinese, Japanese and Korean words for time. Phrases are written without spaces."""

from __future__ import annotations

from typing import Final

from memory.dates.vocabulary import Vocabulary

CHINESE: Final = Vocabulary(
    weekdays="周一 星期一 礼拜一 週一 禮拜一 | 周二 星期二 礼拜二 週二 禮拜二 | 周三 星期三"
    " 礼拜三 週三 禮拜三 | 周四 星期四 礼拜四 週四 禮拜四 | 周五 星期五 礼拜五 週五 禮拜五"
    " | 周六 星期六 礼拜六 週六 禮拜六 | 周日 周天 星期日 星期天 礼拜天 礼拜日 週日 禮拜天",
    seasons="春天 春季 | 夏天 夏季 | 秋天 秋季 | 冬天 冬季",
    hours="小时 小時 分钟 分鐘 个小时",
    days="天",
    weeks="周 星期 礼拜 个星期 个礼拜 週 個星期 個禮拜",
    weekends="周末 週末",
    months_long="个月 個月 月份",
    quarters="季度 季",
    halves="半年",
    years="年度",
    relative="今天=day+0 今日=day+0 今晚=day+0 今早=day+0 昨天=day-1 昨日=day-1 昨晚=day-1"
    " 前天=day-2 一昨日=day-2 大前天=day-3 明天=day+1 后天=day+2 後天=day+2 今年=year+0"
    " 去年=year-1 前年=year-2 明年=year+1 本年=year+0 上年=year-1 本月=month+0 这个月=month+0"
    " 這個月=month+0 当月=month+0 上个月=month-1 上個月=month-1 上月=month-1 上上个月=month-2"
    " 下个月=month+1 下個月=month+1 下月=month+1 本周=week+0 本週=week+0 这周=week+0 這週=week+0"
    " 这个星期=week+0 这星期=week+0 这礼拜=week+0 这个礼拜=week+0 上周=week-1 上週=week-1"
    " 上个星期=week-1 上個星期=week-1 上星期=week-1 上礼拜=week-1 上个礼拜=week-1 上一周=week-1"
    " 上上周=week-2 下周=week+1 下週=week+1 下个星期=week+1 下星期=week+1 下礼拜=week+1"
    " 上周末=weekend-1 上个周末=weekend-1 上週末=weekend-1 这周末=weekend+0 这个周末=weekend+0"
    " 本周末=weekend+0 下周末=weekend+1 下个周末=weekend+1 本季度=quarter+0 这个季度=quarter+0"
    " 上季度=quarter-1 上个季度=quarter-1 上一季度=quarter-1 下个季度=quarter+1 下季度=quarter+1",
    last="上个 上一个 上個",
    rolling="过去 最近 近 過去 过去的 最近的 過去的",
    this="这个 本 這個",
    next="下个 下一个 下個",
    ahead="后 之后 以后 後 之後 以後",
    in_="在 于",
    from_="从 自 由 從",
    to="到 至 ~ 〜",
    between="介于",
    and_="和 与 跟 與",
    since_behind="以来 以來 起",
    before_behind="前 之前 以前",
    parts="初 初期 上旬 | 中旬 | 底 末 下旬",
    ordinals="第一 第一个 | 第二 第二个 | 第三 第三个 | 第四 第四个 | 第五",
    couple="两三",
    few="几 幾 好几",
    marks="年 | 月 | 日 号 號",
    glue="的 个 個 , 、",
    will="将 將 将会 將會 即将 即將 将于 將於",
    plan="计划 計劃 定于 定於 预计 預計 拟于",
    present="现在 現在 到货 到貨 开始 開始 结束 結束 有 要 需要 必须 必須 得",
    held="曾 已 已经 已經 了 见了 見了 去了 见过 見過",
    promised="改到 改为 改為 改成 改在 推迟到 推遲到 推迟至 推遲至 延期到 延期至 延到 延至 提前到 挪到"
    " 订在 訂在 定在 约好 約好 约定 約定 答应 答應 承诺 承諾 说好 說好 决定 決定",
    clause="但 但是 因为",
    past="以前 之前的 从前 先前 曾经 原先 当初 不再 從前 曾經",
    is_weekday_plain=True,
    is_part_behind=True,
    has_numbered_weekdays=True,
)  # fmt: skip

JAPANESE: Final = Vocabulary(
    weekdays="月曜日 月曜 | 火曜日 火曜 | 水曜日 水曜 | 木曜日 木曜 | 金曜日 金曜 | 土曜日 土曜"
    " | 日曜日 日曜",
    seasons="春 | 夏 | 秋 | 冬",
    hours="時間 分間",
    days="日間",
    weeks="週間 週",
    weekends="週末",
    months_long="か月 ヶ月 カ月 ヵ月 ケ月 箇月 か月間 ヶ月間 カ月間",
    quarters="四半期",
    years="年間",
    relative="今日=day+0 本日=day+0 今朝=day+0 今夜=day+0 今晩=day+0 昨日=day-1 昨夜=day-1"
    " 昨晩=day-1 きのう=day-1 一昨日=day-2 おととい=day-2 明日=day+1 あした=day+1 明後日=day+2"
    " あさって=day+2 今週=week+0 先週=week-1 先々週=week-2 来週=week+1 今月=month+0 先月=month-1"
    " 先々月=month-2 来月=month+1 今年=year+0 去年=year-1 昨年=year-1 一昨年=year-2"
    " おととし=year-2 来年=year+1 先週末=weekend-1 先週の週末=weekend-1 今週末=weekend+0"
    " 来週末=weekend+1 今四半期=quarter+0 前四半期=quarter-1 次の四半期=quarter+1",
    last="前の この前の 前回の",
    rolling="過去 ここ 直近",
    this="この 今の",
    next="次の 来",
    ahead="後",
    in_="に で",
    to="から ~ 〜",
    since_behind="以来 以降",
    before_behind="前 以前 より前 の前",
    after_behind="以後 より後 の後",
    parts="初め 初旬 上旬 はじめ | 半ば 中旬 | 末 終わり 下旬",
    ordinals="第1 第一 | 第2 第二 | 第3 第三 | 第4 第四",
    few="数 何",
    marks="年 | 月 | 日",
    glue="の は",
    plan="予定 計画 開催予定 見込み 締め切り 締切",
    held="した でした ました",
    clause="が、 しかし",
    past="以前 かつて 昔 元々 もともと 当初 元の",
    is_weekday_plain=True,
    is_part_behind=True,
)  # fmt: skip

KOREAN: Final = Vocabulary(
    weekdays="월요일 | 화요일 | 수요일 | 목요일 | 금요일 | 토요일 | 일요일",
    seasons="봄 | 여름 | 가을 | 겨울",
    hours="시간",
    days="일간",
    weeks="주 주일 주간",
    weekends="주말",
    months_long="개월 달",
    quarters="분기",
    years="년간 해",
    relative="오늘=day+0 오늘밤=day+0 어제=day-1 어젯밤=day-1 그저께=day-2 그제=day-2"
    " 엊그제=day-2 내일=day+1 모레=day+2 이번주=week+0 지난주=week-1 저번주=week-1"
    " 지지난주=week-2 다음주=week+1 이번달=month+0 지난달=month-1 저번달=month-1 다음달=month+1"
    " 올해=year+0 작년=year-1 지난해=year-1 재작년=year-2 내년=year+1 지난주말=weekend-1"
    " 이번주말=weekend+0 다음주말=weekend+1 지난분기=quarter-1 이번분기=quarter+0"
    " 다음분기=quarter+1",
    last="지난 저번",
    rolling="최근",
    this="이번",
    next="다음",
    ahead="후 뒤",
    in_="에",
    to="부터 에서 ~",
    since_behind="이후 이래",
    before_behind="전 이전",
    parts="초 초반 | 중순 중반 | 말 하순",
    numbers="한 | 두 | 세 | 네 | 다섯 | 여섯",
    ordinals="첫 첫째 첫번째 | 둘째 두번째 | 셋째 세번째",
    few="몇",
    marks="년 | 월 | 일",
    will="될 할 열릴",
    plan="예정 계획 마감",
    held="했다 했습니다 열렸",
    clause="지만",
    past="이전에 전에는 예전에 과거에 원래 더이상",
    is_weekday_plain=True,
    is_part_behind=True,
)  # fmt: skip
