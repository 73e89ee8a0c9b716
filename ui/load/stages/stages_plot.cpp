// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/stages/stages_plot.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QUndoCommand>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeft = 36, kRight = 12, kTop = 24, kFoot = 20, kReach = 9; // px; kReach: how near a corner is hit
constexpr int kEditId = 1;

QString rateWords(double perSecond)
{
    return format::rate(perSecond) + QStringLiteral("\u202F/s");
}

} // namespace

/// One change of the stages: all of them before and after, which are few.
class StagesEdit : public QUndoCommand
{
public:
    StagesEdit(StagesPlot& plot, StagesPlot::State after, const QString& words, int gesture)
        : QUndoCommand(words)
        , plot_(plot)
        , before_{plot.stages_, plot.selected_}
        , after_(std::move(after))
        , gesture_(gesture)
    {
    }
    void undo() override { plot_.show(before_); }
    void redo() override { plot_.show(after_); }
    int id() const override { return kEditId; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto& next = *static_cast<const StagesEdit*>(other); // ids are equal: it is of this class
        if (gesture_ == 0 || next.gesture_ != gesture_)
            return false;
        after_ = next.after_;
        setObsolete(after_.stages == before_.stages);
        return true;
    }

private:
    StagesPlot& plot_;
    StagesPlot::State before_, after_;
    int gesture_;
};

StagesPlot::StagesPlot(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Stages: requests a second over time"));
    setWhatsThis(tr("The rate of the run over time. Double click adds a point, drag moves it. With the keyboard: Tab "
                    "goes from point to point, arrows move it, Insert adds, Delete takes away, Ctrl+Z undoes."));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    fitAxes();
    describe();
}

StagesPlot::~StagesPlot()
{
    undo_.disconnect(); // as it goes it tells its new index, to a parent that is half gone
}

void StagesPlot::setStages(const Stages& stages)
{
    if (!stages::isSound(stages) || stages == stages_)
        return;
    undo_.clear();
    show({stages, std::nullopt});
}

void StagesPlot::replaceStages(const Stages& stages, const QString& words)
{
    if (stages::isSound(stages) && stages != stages_)
        push({stages, std::nullopt}, words);
}

void StagesPlot::setReadOnly(bool isReadOnly)
{
    if (isReadOnly_ == isReadOnly)
        return;
    isReadOnly_ = isReadOnly;
    isDragging_ = false;
    hovered_.reset();
    setCursor(Qt::ArrowCursor);
    describe();
    update();
}

void StagesPlot::setNow(std::optional<double> second)
{
    if (now_ == second)
        return;
    now_ = second;
    update();
}

void StagesPlot::show(State state)
{
    const bool isOther = state.stages != stages_;
    stages_ = std::move(state.stages);
    const bool isOtherPoint = std::exchange(selected_, state.selected) != state.selected;
    hovered_.reset();
    if (!isDragging_)
        fitAxes();
    describe();
    update();
    if (isOtherPoint)
        Q_EMIT selectionChanged();
    if (isOther)
        Q_EMIT changed();
}

void StagesPlot::push(State after, const QString& words, int gesture)
{
    if (isReadOnly_ || after.stages == stages_)
        return;
    undo_.push(new StagesEdit(*this, std::move(after), words, gesture));
}

void StagesPlot::select(std::optional<std::size_t> point)
{
    if (point && *point >= stages_.size())
        point.reset();
    if (selected_ == point)
        return;
    selected_ = point;
    ++gesture_;
    describe();
    update();
    Q_EMIT selectionChanged();
}

void StagesPlot::addPoint(StagePoint point)
{
    stages::Added added = stages::with(stages_, point);
    if (!added.isNew)
        return;
    ++gesture_;
    push({std::move(added.stages), added.point}, tr("add a stage"));
}

void StagesPlot::removeSelected()
{
    if (!selected_ || !stages::mayRemove(stages_, *selected_))
        return;
    ++gesture_;
    Stages left = stages::without(stages_, *selected_);
    const std::size_t next = std::min(*selected_, left.size() - 1);
    push({std::move(left), next}, tr("delete a stage"));
}

void StagesPlot::moveSelected(StagePoint to, int gesture)
{
    if (selected_)
        push({stages::moved(stages_, *selected_, to), selected_}, tr("move a stage"), gesture);
}

void StagesPlot::step(double seconds, double perSecond)
{
    if (!selected_)
        return select(0);
    // To the next line of the grid, so that a value that lies between two comes onto it.
    const StagePoint& at = stages_[*selected_];
    const auto next = [](double value, double step) {
        return step > 0   ? std::floor(value / step + 1e-9) * step + step
               : step < 0 ? std::ceil(value / -step - 1e-9) * -step + step
                          : value;
    };
    StagePoint to{next(at.second, seconds), next(at.perSecond, perSecond)};
    const StagePoint round = grid_.snapped(to);
    to = {seconds == 0 ? at.second : round.second, perSecond == 0 ? at.perSecond : round.perSecond};
    moveSelected(to, gesture_);
}

void StagesPlot::insertPoint()
{
    const std::size_t at = selected_.value_or(stages_.size() - 1);
    const StagePoint& from = stages_[at];
    if (at + 1 == stages_.size())
        return addPoint({from.second + std::max(grid_.second * 10, 1.0), from.perSecond});
    const StagePoint& to = stages_[at + 1];
    const double middle = grid_.snapped({(from.second + to.second) / 2, 0}).second;
    const double second = std::clamp(middle, from.second, to.second);
    addPoint({second, grid_.snapped({0, (from.perSecond + to.perSecond) / 2}).perSecond});
}

void StagesPlot::fitAxes()
{
    const double last = stages::length(stages_);
    const double step = runaxes::timeStep(last * 1.12, 20);
    endSecond_ = std::max(step, std::ceil(last * 1.08 / step) * step);
    endRate_ = std::max(1.0, runaxes::niceCeil(stages::peak(stages_) * 1.1));
    grid_ = stages::gridOf(endSecond_, endRate_);
}

QString StagesPlot::words(std::size_t point) const
{
    return tr("%1 → %2").arg(loadwords::span(stages_[point].second), rateWords(stages_[point].perSecond));
}

QString StagesPlot::sentence() const
{
    return tr("%1 points, %2 long, at most %3, about %4 requests")
        .arg(stages_.size())
        .arg(loadwords::span(stages::length(stages_)), rateWords(stages::peak(stages_)),
             format::count(std::llround(stages::requests(stages_))));
}

void StagesPlot::describe()
{
    QString text = sentence();
    if (selected_)
        text = tr("Point %1 of %2: at %3, %4")
                   .arg(*selected_ + 1)
                   .arg(stages_.size())
                   .arg(loadwords::span(stages_[*selected_].second), rateWords(stages_[*selected_].perSecond));
    if (isReadOnly_)
        text += tr("; fixed while the run is on");
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
}

DataTable StagesPlot::dataTable() const
{
    DataTable table{tr("Stages"), {{tr("at"), true}, {tr("requests a second"), true}}, {}};
    for (const StagePoint& point : stages_)
        table.rows.push_back(DataTable::row({loadwords::span(point.second), rateWords(point.perSecond)}));
    return table;
}

QRectF StagesPlot::plot() const
{
    return QRectF(kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - kFoot));
}

double StagesPlot::xOf(double second) const
{
    const QRectF box = plot();
    return box.left() + box.width() * std::clamp(second / endSecond_, 0.0, 1.0);
}

double StagesPlot::yOf(double perSecond) const
{
    const QRectF box = plot();
    return box.bottom() - box.height() * std::clamp(perSecond / endRate_, 0.0, 1.0);
}

QPointF StagesPlot::placeOf(std::size_t point) const
{
    return {xOf(stages_[point].second), yOf(stages_[point].perSecond)};
}

StagePoint StagesPlot::valueAt(const QPointF& at) const
{
    const QRectF box = plot();
    return {std::clamp((at.x() - box.left()) / box.width(), 0.0, 1.0) * endSecond_,
            std::clamp((box.bottom() - at.y()) / box.height(), 0.0, 1.0) * endRate_};
}

std::optional<std::size_t> StagesPlot::pointAt(const QPointF& at) const
{
    std::optional<std::size_t> best;
    double nearest = kReach;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const double distance = QLineF(placeOf(i), at).length();
        // Of two corners at one place the later one: it can be dragged away to the right.
        if (distance <= nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

bool StagesPlot::event(QEvent* event)
{
    // The page has the same keys for its draft: here they mean the stages.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))
            event->accept();
    }
    return QWidget::event(event);
}

bool StagesPlot::focusNextPrevChild(bool next)
{
    if (!selected_ || isReadOnly_)
        return QWidget::focusNextPrevChild(next);
    if (next ? *selected_ + 1 >= stages_.size() : *selected_ == 0)
        return QWidget::focusNextPrevChild(next);
    select(next ? *selected_ + 1 : *selected_ - 1);
    return true;
}

void StagesPlot::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Undo))
        return undo_.undo();
    if (event->matches(QKeySequence::Redo))
        return undo_.redo();
    const double times = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-grid_.second * times, 0);
    case Qt::Key_Right:
        return step(grid_.second * times, 0);
    case Qt::Key_Up:
        return step(0, grid_.perSecond * times);
    case Qt::Key_Down:
        return step(0, -grid_.perSecond * times);
    case Qt::Key_Home:
        return select(0);
    case Qt::Key_End:
        return select(stages_.size() - 1);
    case Qt::Key_Insert:
        return insertPoint();
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return removeSelected();
    case Qt::Key_Escape:
        if (selected_)
            return select(std::nullopt);
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void StagesPlot::mousePressEvent(QMouseEvent* event)
{
    const auto hit = pointAt(event->position());
    select(hit);
    if (event->button() != Qt::LeftButton || !hit || isReadOnly_)
        return;
    ++gesture_;
    isDragging_ = true;
    grip_ = placeOf(*hit) - event->position();
}

void StagesPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (isDragging_ && selected_) {
        const StagePoint free = valueAt(event->position() + grip_);
        // Alt: as it comes, for a value between the lines of the grid.
        const StagePoint to = event->modifiers() & Qt::AltModifier ? free : grid_.snapped(free);
        return moveSelected(to, gesture_);
    }
    const auto before = std::exchange(hovered_, pointAt(event->position()));
    if (before == hovered_)
        return;
    setCursor(hovered_ && !isReadOnly_ ? Qt::SizeAllCursor : Qt::ArrowCursor);
    update();
}

void StagesPlot::mouseReleaseEvent(QMouseEvent*)
{
    if (!std::exchange(isDragging_, false))
        return;
    ++gesture_;
    fitAxes();
    update();
}

void StagesPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || isReadOnly_ || pointAt(event->position()))
        return;
    addPoint(grid_.snapped(valueAt(event->position())));
}

void StagesPlot::contextMenuEvent(QContextMenuEvent* event)
{
    if (isReadOnly_)
        return;
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    const QPointF at = isByKey && selected_ ? placeOf(*selected_) : QPointF(event->pos());
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const StagePoint here = grid_.snapped(valueAt(at));
    menu->addAction(tr("Add a point here"), this, [this, here] { addPoint(here); });
    QAction* remove = menu->addAction(tr("Delete the point"), this, &StagesPlot::removeSelected);
    remove->setEnabled(selected_ && stages::mayRemove(stages_, *selected_));
    menu->addSeparator();
    menu->addAction(tr("Undo"), &undo_, &QUndoStack::undo)->setEnabled(undo_.canUndo());
    menu->addAction(tr("Redo"), &undo_, &QUndoStack::redo)->setEnabled(undo_.canRedo());
    menu->popup(mapToGlobal(at.toPoint()));
}

void StagesPlot::leaveEvent(QEvent*)
{
    if (std::exchange(hovered_, std::nullopt))
        update();
}

void StagesPlot::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (!isReadOnly_ && event->reason() == Qt::TabFocusReason)
        select(0);
    if (!isReadOnly_ && event->reason() == Qt::BacktabFocusReason)
        select(stages_.size() - 1);
    update();
}

void StagesPlot::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        select(std::nullopt);
    update();
}

} // namespace sg::ui
